#!/bin/sh
# small_symbols.sh
# Generated from test.small:Small by cxc; do not edit.
#
# usage: sh small_symbols.sh REAL MAP LEFT_OUT_C LEFT_OUT_TXT
#
# Reads the dynamic symbols of the real library REAL with readelf, or with the program that READELF names, and writes:
#
#   MAP            a version script that gives the guest library the symbol versions of REAL
#   LEFT_OUT_TXT   the symbols that REAL exports and the specification does not describe
#   LEFT_OUT_C     a stub for each such function: a call prints a message and aborts the program
#
# Without REAL the symbols get no versions, and LEFT_OUT_TXT is empty. REAL must contain a slash: a compiler that does not find the
# library prints its name alone, and a file of that name in this folder is the guest library.
set -eu

if [ $# -ne 4 ]; then
    echo "usage: sh $0 REAL MAP LEFT_OUT_C LEFT_OUT_TXT" >&2
    exit 2
fi
real=$1 map=$2 left_c=$3 left_txt=$4
expected=libsmall.so.1

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
spec small_request
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
        soname=$(LC_ALL=C ${READELF:-readelf} -W -d "$real" | sed -n 's/.*(SONAME).*\[\(.*\)\].*/\1/p')
        if [ -n "$soname" ] && [ "$soname" != "$expected" ]; then
            echo "$0: warning: $real has the SONAME $soname, and the specification names $expected. Programs load $soname, and not the" \
                "guest library: write \`c soname \"$soname\"\`" >&2
        fi
        LC_ALL=C ${READELF:-readelf} -W --dyn-syms -V "$real"
    else
        echo "$0: warning: the real library $real cannot be read: symbols get no versions, and functions that the specification" \
            "does not describe get no stubs; set SMALL_REAL to its path, or correct \`c soname\`" >&2
    fi
} | awk -v map="$map.new" -v left_c="$left_c.new" -v left_txt="$left_txt.new" '
$1 == "spec" && NF == 2 { spec[++specs] = $2; known[$2] = 1; next }
$1 == "hidden" && NF == 2 { known[$2] = 1; next }
# A version that the library defines; the first version is the name of the library.
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
    # A version script has either named versions or one without a name. Symbols in no named version get none, as in the real library.
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

    # Text of the specification may call such functions in the worker: they are found in the real library when they are first called.
    print "#ifdef CXR_LEFT_OUT_IN_WORKER" > left_c
    for (i = 1; i <= stubs; i++) printf "#pragma weak %s\n", stub[i] > left_c
    print "#else" > left_c
    print "/* Stubs of the functions that the real library exports and the specification does not describe. */" > left_c
    print "#include \"cx_remote.h\"\n" > left_c
    print "#ifdef __cplusplus\nextern \"C\" {\n#endif" > left_c
    print "extern cxr_guest small_cxr_guest;" > left_c
    print "#define LEFT_OUT(function, name) \\" > left_c
    print "    __attribute__((visibility(\"default\"))) uintptr_t function(void); \\" > left_c
    print "    uintptr_t function(void) \\" > left_c
    print "    { \\\n        cxr_missing(&small_cxr_guest, name, CXR_MISSING_ABORTS); \\\n        __builtin_abort(); \\\n    }" > left_c
    for (i = 1; i <= stubs; i++) printf "LEFT_OUT(%s, \"%s\")\n", stub[i], stub[i] > left_c
    for (i = 1; i <= olds; i++) {
        printf "LEFT_OUT(small_cxr_old_%d, \"%s@%s\")\n", i, old[i], old_version[i] > left_c
        printf "__asm__(\".symver small_cxr_old_%d, %s@%s\");\n", i, old[i], old_version[i] > left_c
    }
    print "#ifdef __cplusplus\n}\n#endif\n#endif" > left_c
}'
# awk opens the file only if there is something to write.
: >> "$left_txt.new"
mv "$map.new" "$map"
mv "$left_c.new" "$left_c"
mv "$left_txt.new" "$left_txt"
if [ -s "$left_txt" ]; then
    echo "$0: warning: $real exports $(grep -c '' "$left_txt") symbols that the specification test.small:Small does not describe:" \
        "$(sed -n '1,8s/^[a-z]* //p' "$left_txt" | tr '\n' ' ')... (all are in $left_txt). A program that calls one of these functions is aborted" >&2
fi
