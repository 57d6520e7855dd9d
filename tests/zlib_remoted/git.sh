# Makes a repository with three commits, packs it, checks it, clones it and reads it back. Prints the names of all objects and packs.
set -eu
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL="$HOME/config" GIT_TERMINAL_PROMPT=0
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000'
# One thread: how the work is shared among several changes the packs.
git config --file "$HOME/config" pack.threads 1
git config --file "$HOME/config" gc.auto 0
git -c init.defaultBranch=main init -q repo
for i in 1 2 3; do
    awk -v x=$i 'BEGIN { for (n = 0; n < 3000; n++) { x = (x * 16807) % 2147483647; printf "%d line %d\n", x, n % 100 } }' > repo/file$i
    mkdir repo/folder$i
    for name in a b c; do echo "$i $name" > repo/folder$i/$name; done
    echo "more $i" >> repo/file1
    git -C repo add .
    git -C repo commit -q -m "commit $i"
done
git -C repo cat-file --batch-all-objects --batch-check
git -C repo gc -q
git -C repo fsck --full --strict
git clone -q --no-local repo copy
git -C copy log --format='%H %T'
git -C copy fsck --full
ls repo/.git/objects/pack copy/.git/objects/pack
git -C copy archive --format=tar.gz HEAD | cksum
diff -r --exclude=.git repo copy
