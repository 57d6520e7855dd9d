int dotp(cx_sel_t cx_sel_mac, int as[], int bs[], unsigned n) {
    if (cx_sel_is_cx(cx_sel_mac)) {
        cx_sel_t prev = cx_select(cx_sel_mac);
        int ret = cx_mac_reset();

        for (int i = 0; i < n; ++i) {
            cx_select(cx_sel_builtin);
            int func_a_i = legacy_func(as[i]);
            cx_select(cx_sel_mac);

            ret = cx_mac_mac(func_a_i, bs[i]);
        }

        cx_select(prev);
        return ret;
    }
    else
        return dotp_sw(as, bs, n);
}
