//! Catalogue entries of this area; see the table in [the parent](super).
//!
//! Most of these are about the world around a spec, so no `.cxspec` file can show them.

super::entries! {
    CANNOT_READ = 901 {
        title: "a file or folder cannot be read",
        cause: "A spec named on the command line, a folder given with `-I`, or a file in one of the folders that are \
                searched for imports could not be opened.",
        remedy: "Check the path and the permissions. The message of the operating system says which of the two it is.",
        bad: "",
        good: "",
    }
    NOT_UTF8 = 902 {
        title: "a file is not UTF-8",
        cause: "The text of a spec is UTF-8, without exception. Another encoding, or a binary file, was found.",
        remedy: "Save the file as UTF-8. The finding names the first byte that does not fit.",
        bad: "",
        good: "",
    }
    UNKNOWN_BACKEND = 903 {
        title: "there is no such backend",
        cause: "`--backend` was given a name that this `cxc` does not know.",
        remedy: "Use one of the names that the finding lists.",
        bad: "",
        good: "",
    }
    BACKEND_CANNOT = 904 {
        title: "a backend cannot print this construct",
        cause: "Each backend declares what it can print. The spec uses something that one of the backends asked for \
                cannot, such as an integer that is too wide for it.",
        remedy: "Leave that backend out with `--backend`, or write the construct in a way that it can print.",
        bad: "",
        good: "",
    }
    NAME_COLLISION = 905 {
        title: "two declarations give one name in a target",
        cause: "A backend derives names of its target from those of the spec. Two different declarations end up with \
                the same identifier, or with the same file, so one of them would hide the other. Specs that are \
                checked or built by one command share their output folder.",
        remedy: "Rename one of the two declarations. The finding shows both, and the name they share.",
        bad: "",
        good: "",
    }
    BACKEND_DEFECT = 906 {
        title: "a backend failed",
        cause: "A backend could not print a spec that was checked and found good. This is a defect of the backend.",
        remedy: "Please report it with the spec. Until it is mended, leave that backend out with `--backend`.",
        bad: "",
        good: "",
    }
    CANNOT_WRITE = 907 {
        title: "an output cannot be written",
        cause: "A file or a folder below the output folder could not be created, replaced or removed: because of its \
                permissions, a full disk, or a file where a folder should be.",
        remedy: "Give another `--out-dir`, or mend what the message of the operating system says. Running the same \
                 command again then finishes what was interrupted.",
        bad: "",
        good: "",
    }
    OUTPUT_EXISTS = 908 {
        title: "an output would replace a file that is not ours",
        cause: "The output folder holds a file of the same name with other contents, and no manifest in `.cxc` says \
                that an earlier build wrote it.",
        remedy: "Move or delete that file if it may go, or give another `--out-dir`. After the folder `.cxc` was lost, \
                 delete the generated files too.",
        bad: "",
        good: "",
    }
    OUTPUT_OWNED = 909 {
        title: "two specs write different contents to one file",
        cause: "The manifest in `.cxc` says that another spec, which still exists, wrote a file of this name, and its \
                contents differ.",
        remedy: "Give each spec its own `--out-dir`, or another `short` name. If the other spec no longer writes this \
                 file, build it first.",
        bad: "",
        good: "",
    }
    OUTPUT_PATH = 910 {
        title: "an output has a path that cannot be used",
        cause: "The path of an output leaves the output folder, is not portable, lies inside `.cxc`, or leads through a \
                symbolic link or a file. Outputs go only into real folders below the output folder.",
        remedy: "Remove the link or the file that is in the way. If a backend made the path, report it as a defect.",
        bad: "",
        good: "",
    }
    STALE_EDITED = 911 {
        title: "an output that is no longer produced was edited, and stays",
        cause: "An earlier build wrote this file. The spec no longer produces it, so it would be deleted, but its \
                contents are no longer what was written.",
        remedy: "Delete the file if the edit may go. From now on it counts as yours and is not touched.",
        bad: "",
        good: "",
    }
    MANIFEST_DAMAGED = 912 {
        title: "a manifest of written files cannot be understood",
        cause: "A file in `.cxc` was edited, damaged, or written by a newer `cxc`. Without it there is no telling which \
                files may be replaced or deleted.",
        remedy: "Use the newer `cxc`; or delete that manifest and the generated files, and build again.",
        bad: "",
        good: "",
    }
    SKIPPED = 913 {
        title: "an item that nothing is generated from",
        cause: "No backend prints anything for this item: a platform is held against the interfaces that it names, and \
                a library is checked whole, but only the backend `remoting` generates what carries its calls, if `c soname` \
                names its file.",
        remedy: "Nothing needs to be done: the rest of the file is compiled. For a library in another process, name its file with \
                 `c soname` and choose the backend with `--backend remoting`.",
        bad: "",
        good: "",
    }
    SAME_IDENTITY = 914 {
        title: "two interfaces have one UUID or one xintf id",
        cause: "A program finds a CX by its UUID, and an overloadable opcode by the id of its xintf. Two interfaces that \
                share one cannot be told apart, so a program would issue the commands of one to the other.",
        remedy: "Give one of the two a new UUID or id. Two interfaces with equal contracts also get one UUID from \
                 `uuid auto`.",
        bad: "cxspec 1;\npackage t;\n\n\
              draft interface A {\n    uuid \"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\";\n    \
              command inc = 0 : R (x: word) -> word { return x +% 1; }\n}\n\n\
              draft interface B {\n    uuid \"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\";\n    \
              command dec = 0 : R (x: word) -> word { return x -% 1; }\n}\n",
        good: "cxspec 1;\npackage t;\n\n\
               draft interface A {\n    uuid \"5f1d3a0e-93c7-4a6e-8a44-0f6c1a7de9aa\";\n    \
               command inc = 0 : R (x: word) -> word { return x +% 1; }\n}\n\n\
               draft interface B {\n    uuid \"1c0a6a52-5d59-4a2e-9a0b-6a51d5b7c3f4\";\n    \
               command dec = 0 : R (x: word) -> word { return x -% 1; }\n}\n",
    }
    OUTPUT_EDITED = 915 {
        title: "an output was edited by hand",
        cause: "The spec produces this file, but it no longer holds what the last build wrote. Building would lose the \
                edit, so nothing was written.",
        remedy: "Outputs are products: change the spec, or copy the edit to a file of your own. Then delete the output, \
                 or overwrite it with `cxc build --force`.",
        bad: "",
        good: "",
    }
    OUT_OF_DATE = 916 {
        title: "an output is not what a build would write",
        cause: "`cxc build --check` compares the outputs with the specs and writes nothing. A spec, an import or `cxc` \
                itself changed since the last build, or an output is missing.",
        remedy: "Run the same command without `--check`, and keep what it writes with the change that caused it.",
        bad: "",
        good: "",
    }
    HEADER_DIFFERS = 917 {
        title: "the specification differs from the C header",
        cause: "`cxc check --header` compares a library's description with its C headers: types of functions and callbacks, \
                members of structs with their sizes, values of enums and constants. The C compiler rejected a declaration that \
                the description needs.",
        remedy: "Correct the description: write `size` where the header has `size_t`. A type that only the header declares stands before \
                 a type of at least as many bytes: `\"my_bool\" as u8`.",
        bad: "",
        good: "",
    }
    HEADER_UNUSABLE = 918 {
        title: "the C headers of a library cannot be compiled",
        cause: "`cxc check --header` compiles the headers that `c header` names. The C compiler does not find one, rejects it, or \
                cannot be started.",
        remedy: "Install the headers and a C compiler. `--c-flag` passes an option to the compiler, such as `-I` and a folder; \
                 the variable `CC` names another compiler.",
        bad: "",
        good: "",
    }
    NOT_DESCRIBED = 919 {
        title: "the specification lacks functions that are needed",
        cause: "`cxc check --needed-by FILE` lists the functions that a program, a library or a header needs and the \
                specification does not describe. With the library in another process a program that calls one is aborted.",
        remedy: "Describe the functions.",
        bad: "",
        good: "",
    }
    NOT_CARRIED_OUT = 920 {
        title: "a construct that a backend does not carry out",
        cause: "The backend declares that it does not implement this construct. A program would get wrong values, or wait for ever, \
                if the construct were ignored.",
        remedy: "Write what the help says, or leave that backend out with `--backend`.",
        bad: "",
        good: "",
    }
    NO_SOURCE = 921 {
        title: "a source file is missing",
        cause: "`c sources(side) \"…\"` names a C file that is built into one side of a library. It is looked for in the folder of \
                the spec, and it is not there.",
        remedy: "Correct the path, or add the file beside the spec.",
        bad: "",
        good: "",
    }
    NOT_FORMATTED = 930 {
        title: "a spec is not in the style of the language",
        cause: "`cxc fmt --check` compares specs with what `cxc fmt` would write, and writes nothing. Only blanks and line \
                ends differ.",
        remedy: "Run the same command without `--check`.",
        bad: "",
        good: "",
    }
    BAD_OPTION = 940 {
        title: "an option that a backend does not take",
        cause: "`--option` is `backend.key=value`, for a backend of this build, with a key and a value that it takes.",
        remedy: "Use what the finding lists.",
        bad: "",
        good: "",
    }
}
