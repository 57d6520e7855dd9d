/* What programs do with SQLite: statements, texts of any length, hooks and functions. It prints the same natively and remoted. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static int disposed, commits, rows;

static void dispose(void *text)
{
    (void)text;
    disposed++;
}

static int on_commit(void *data)
{
    ++*(int *)data;
    return 0;
}

static int on_row(void *data, int n, char **values, char **names)
{
    (void)data;
    for (int i = 0; i < n; i++) printf("%s=%s ", names[i], values[i] ? values[i] : "NULL");
    rows++;
    return 0;
}

static void twice(sqlite3_context *ctx, int n, sqlite3_value **values)
{
    (void)n;
    sqlite3_result_int64(ctx, 2 * sqlite3_value_int64(values[0]) + *(int *)sqlite3_user_data(ctx));
}

int main(void)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    const char *tail = NULL;
    const char sql[] = "INSERT INTO t VALUES(?1, ?2); SELECT 1";
    int added = 5;
    printf("open %d\n", sqlite3_open(":memory:", &db));
    printf("exec %d\n", sqlite3_exec(db, "CREATE TABLE t(a INTEGER, b TEXT)", NULL, NULL, NULL));
    sqlite3_commit_hook(db, on_commit, &commits);
    printf("prepare %d tail", sqlite3_prepare_v2(db, sql, -1, &stmt, &tail));
    printf(" %s\n", tail);
    for (int i = 0; i < 3; i++) {
        char text[16];
        snprintf(text, sizeof text, "text %d", i);
        sqlite3_reset(stmt);
        printf("bind %d %d ", sqlite3_bind_int64(stmt, 1, i), sqlite3_bind_text(stmt, 2, text, -1, i == 1 ? dispose : SQLITE_TRANSIENT));
        printf("step %d\n", sqlite3_step(stmt));
    }
    printf("finalize %d commits %d disposed %d\n", sqlite3_finalize(stmt), commits, disposed);
    printf("prepare bad %d", sqlite3_prepare_v2(db, "SELEC", 5, &stmt, NULL));
    printf(": %s\n", sqlite3_errmsg(db));
    printf("function %d\n", sqlite3_create_function_v2(db, "twice", 1, SQLITE_UTF8, &added, twice, NULL, NULL, NULL));
    printf("rows: ");
    printf("%d\n", sqlite3_exec(db, "SELECT twice(a) AS v, b FROM t ORDER BY a", on_row, NULL, NULL));
    sqlite3_prepare_v2(db, "SELECT a, b, NULL FROM t WHERE a > 0", -1, &stmt, NULL);
    while (sqlite3_step(stmt) == SQLITE_ROW)
        printf("%lld %s %d %s\n", (long long)sqlite3_column_int64(stmt, 0), (const char *)sqlite3_column_text(stmt, 1), sqlite3_column_bytes(stmt, 1), sqlite3_column_text(stmt, 2) ? "some" : "null");
    sqlite3_finalize(stmt);
    printf("same hook %d\n", sqlite3_commit_hook(db, NULL, NULL) == (void *)&commits);
    printf("close %d\n", sqlite3_close(db));
    return 0;
}
