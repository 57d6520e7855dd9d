// external legacy function
int legacy_func(int);
// external CX-aware function
int cx_cc_func(int) CX_CALL;

inline static int cx_mac_reset() CX_CALL {
//  return CUSTOM0_R(".insn r 0x0B, 0, 0", 0, 0);
    return CUSTOM0_R("cx_mac_reset", 0, 0);
}
inline static int cx_mac_mac(int a, int b) CX_CALL {
//  return CUSTOM_R(".insn r 0x0B, 0, 1", a, b);
    return CUSTOM0_R("cx_mac_mac", a, b);
}
