#!/bin/sh
# small_symbols.sh
# Generated from test.small:Small by cxc; do not edit.
#
# usage: sh small_symbols.sh REAL MAP LEFT_OUT_C LEFT_OUT_TXT
#
# Reads the dynamic symbols of the real library REAL with readelf, or with what READELF names. Programs are linked with versions of
# symbols, so MAP gives the caller's side the same ones. What the library exports and the specification leaves out is in
# LEFT_OUT_TXT; LEFT_OUT_C has a stub for each such function, which says so when a program calls it. Without REAL there is
# nothing to read: no versions, and nothing is left out. A compiler that does not find the library says its name alone, and a file
# of that name here is the guest library: so REAL has a folder.
set -eu

if [ $# -ne 4 ]; then
    echo "usage: sh $0 REAL MAP LEFT_OUT_C LEFT_OUT_TXT" >&2
    exit 2
fi
real=$1 map=$2 left_c=$3 left_txt=$4

trap 'rm -f "$map.new" "$left_c.new" "$left_txt.new"' EXIT
{
    cat << 'END'
spec small_add
spec small_sum
spec small_old
spec small_move
spec small_open
spec small_close
spec small_each
spec small_watch
spec small_format
spec small_control
spec small_control2
spec small_find
spec small_mix
spec small_nothing
hidden small_secret
END
    case "$real" in
    */*) found=$real ;;
    *) found= ;;
    esac
    if [ -r "$found" ]; then
        LC_ALL=C ${READELF:-readelf} -W --dyn-syms -V "$real"
    else
        echo "$0: there is no $real: symbols get no versions, and what the specification leaves out is not known." \
            "SMALL_REAL says where the library is" >&2
    fi
} | awk -v map="$map.new" -v left_c="$left_c.new" -v left_txt="$left_txt.new" '
$1 == "spec" && NF == 2 { spec[++specs] = $2; known[$2] = 1; next }
$1 == "hidden" && NF == 2 { known[$2] = 1; next }
# A version that the library defines; the first one is its own name.
/ Rev: .* Flags: .* Index: .* Cnt: .* Name: / {
    if ($0 !~ /Flags: BASE/) { name = $NF; if (!(name in is_version)) { is_version[name] = 1; version[++versions] = name } }
    next
}
# Num: Value Size Type Bind Vis Ndx Name
$1 ~ /^[0-9]+:$/ && NF >= 8 && $7 != "UND" && $7 != "ABS" && $5 != "LOCAL" && ($6 == "DEFAULT" || $6 == "PROTECTED") {
    kind = $4; name = $8
    if (name ~ /^(_init|_fini|_edata|_end|__bss_start|__end__|_bss_end__|__bss_start__|__bss_end__)$/) next
    of = ""; is_default = 1
    if ((at = index(name, "@")) > 0) {
        of = substr(name, at); name = substr(name, 1, at - 1)
        is_default = of ~ /^@@/
        sub(/^@+/, "", of)
    }
    is_function = kind != "OBJECT" && kind != "COMMON" && kind != "TLS"
    if (is_default) { version_of[name] = of }
    if (is_default && (name in known)) next
    full = is_default ? name : name "@" of
    if (full in seen) next
    seen[full] = 1
    if (!is_function) { left[++count] = "object " full; next }
    left[++count] = "function " full
    if (name !~ /^[A-Za-z_][A-Za-z0-9_]*$/) next
    if (is_default) { stub[++stubs] = name } else { old[++olds] = name; old_version[olds] = of }
}
END {
    for (i = 1; i <= count; i++) print left[i] > left_txt
    close(left_txt)

    for (i = 1; i <= specs; i++) all[++total] = spec[i]
    for (i = 1; i <= stubs; i++) all[++total] = stub[i]
    if (versions == 0) {
        printf "{\n" > map
        if (total > 0) {
            printf "global:" > map
            for (i = 1; i <= total; i++) printf "\n    %s;", all[i] > map
            printf "\n" > map
        }
        print "local:\n    *;\n};" > map
    }
    # Beside versions with names there is none without: what is in none of them has no version, as in the real library.
    for (v = 1; v <= versions; v++) {
        printf "%s {", version[v] > map
        first = 1
        for (i = 1; i <= total; i++) if (version_of[all[i]] == version[v]) {
            printf "%s\n    %s;", (first ? "\nglobal:" : ""), all[i] > map
            first = 0
        }
        if (v == 1 && olds > 0) { print "\nlocal:\n    small_cxr_old_*;\n};" > map; continue }
        print (first ? " };" : "\n};") > map
    }

    print "/* Functions that the library exports and the specification leaves out. */" > left_c
    print "#include \"cx_remote.h\"\n" > left_c
    print "#ifdef __cplusplus\nextern \"C\" {\n#endif" > left_c
    print "extern cxr_guest small_cxr_guest;" > left_c
    print "#define LEFT_OUT(function, name) \\" > left_c
    print "    __attribute__((visibility(\"default\"))) uintptr_t function(void); \\" > left_c
    print "    uintptr_t function(void) \\" > left_c
    print "    { \\\n        cxr_missing(&small_cxr_guest, name); \\\n        return 0; \\\n    }" > left_c
    for (i = 1; i <= stubs; i++) printf "LEFT_OUT(%s, \"%s\")\n", stub[i], stub[i] > left_c
    for (i = 1; i <= olds; i++) {
        printf "LEFT_OUT(small_cxr_old_%d, \"%s@%s\")\n", i, old[i], old_version[i] > left_c
        printf "__asm__(\".symver small_cxr_old_%d, %s@%s\");\n", i, old[i], old_version[i] > left_c
    }
    print "#ifdef __cplusplus\n}\n#endif" > left_c
}'
# Without anything left out the last one has not been opened.
: >> "$left_txt.new"
mv "$map.new" "$map"
mv "$left_c.new" "$left_c"
mv "$left_txt.new" "$left_txt"
