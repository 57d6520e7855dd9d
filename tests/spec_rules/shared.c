/* Built into both sides of tests/spec_rules/rules.cxspec. */
int rules_shared(int n);

int rules_shared(int n)
{
    return n + 100;
}
