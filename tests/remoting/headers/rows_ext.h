/* The second header of specs/rows.cxspec. */
