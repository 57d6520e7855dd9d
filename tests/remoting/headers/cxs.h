/* What texts of the specifications take from elsewhere, and what C++ knows by another name. */
#ifndef CXS_H
#define CXS_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
struct cxs_stream;
extern const char cxs_icd_dispatch[];
void cxs_stream_put(struct cxs_stream *to, const void *bytes, size_t n);
size_t cxs_stream_left(struct cxs_stream *from);
void cxs_stream_get(struct cxs_stream *from, void *bytes, size_t n);
#ifdef __cplusplus
}
#endif
#if defined(CXS_SQLITE) && defined(__cplusplus)
#include <sqlite3.h>
#define sqlite3_index_constraint sqlite3_index_info::sqlite3_index_constraint
#define sqlite3_index_orderby sqlite3_index_info::sqlite3_index_orderby
#define sqlite3_index_constraint_usage sqlite3_index_info::sqlite3_index_constraint_usage
#endif
#endif
