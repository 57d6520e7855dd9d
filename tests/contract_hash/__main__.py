"""Prints the full name and the contract hash of each interface of a spec.

`python3 tests/contract_hash FILE.cxspec [-I FOLDER]… [--text]`; `--text` adds the canonical text. This is a second
implementation of the hash, made from lapis-cx/compiler/src/contract/CANONICAL.md and from nothing of the compiler.
"""

import argparse
import hashlib
import sys

from interface import Packages, sections
from lexer import SpecError
from printer import canonical_text


def main():
    parser = argparse.ArgumentParser(prog="contract_hash", description="The contract hashes of a spec.")
    parser.add_argument("file", metavar="FILE.cxspec")
    parser.add_argument("-I", dest="folders", metavar="FOLDER", action="append", default=[])
    parser.add_argument("--text", action="store_true", help="print the canonical text after each hash")
    options = parser.parse_args()
    # Deeply nested expressions are deeply nested calls here.
    sys.setrecursionlimit(20000)
    try:
        packages = Packages(options.file, options.folders)
        for item in packages.root.items.values():
            if item.kind != "interface" or item.abstract:
                continue
            text = canonical_text(sections(packages, item))
            digest = hashlib.sha256(text.encode("ascii")).hexdigest()
            print("%s:%s %s" % (packages.root.package, item.name, digest))
            if options.text:
                sys.stdout.write(text)
    except (SpecError, OSError) as error:
        print("%s: %s" % (options.file, error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
