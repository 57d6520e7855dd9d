int dotp(cx_sel_t cx_sel_mac, int as[], int bs[], unsigned n) CX_CALL {
    if (cx_sel_is_cx(cx_sel_mac)) {
        cx_sel_t prev = cx_select(cx_sel_mac);

        int ret = cx_mac_reset();
        for (int i = 0; i < n; ++i)
            ret = cx_mac_mac(cx_cc_func(as[i]), bs[i]);

        cx_select(prev);
        return ret;
    }
    else
        return dotp_sw(as, bs, n);
}
