# small_remote.mk
# Generated from test.small:Small by cxc; do not edit.
#
# Builds the guest library libsmall.so.1 and its worker; the Makefile of this folder includes this file.
#
#   SMALL_REAL   the path of the real library, whose symbols are read, if the compiler does not find it by its name
SMALL_REAL ?= $(shell $(CC) -print-file-name=libsmall.so.1)
SMALL_CFLAGS =
SMALL_LIBS =
SMALL_GUEST_SOURCES =
SMALL_WORKER_SOURCES =

# The real library with its size and time. If they differ from those of the last build, the symbols are read again.
SMALL_READ := $(if $(findstring /,$(SMALL_REAL)),$(shell stat -L -c "%n %s %y" "$(SMALL_REAL)" 2>/dev/null))
ifneq ($(SMALL_READ),$(shell cat small.real 2>/dev/null))
.PHONY: small_is_another
small.map: small_is_another
endif

small.map: $(HERE)/small_symbols.sh
	sh $(HERE)/small_symbols.sh "$(SMALL_REAL)" $@ small_left_out.c small_left_out.txt
	@echo "$(SMALL_READ)" > small.real

small_left_out.o: small.map
	$(CC) $(CXR_CFLAGS) -fno-builtin $(CFLAGS) -c -o $@ small_left_out.c

libsmall.so.1: $(HERE)/small_guest.c $(HERE)/small_remote.h $(SMALL_GUEST_SOURCES) small_left_out.o
	$(CC) $(CXR_CFLAGS) $(SMALL_CFLAGS) $(CFLAGS) $(CXR_LDFLAGS) $(LDFLAGS) -Wl,-soname,$@ \
		-Wl,--version-script=small.map -o $@ $(HERE)/small_guest.c $(SMALL_GUEST_SOURCES) small_left_out.o $(CX_REMOTE_LIB)

small_worker: $(HERE)/small_worker.c $(HERE)/small_remote.h $(SMALL_WORKER_SOURCES) small.map
	$(CC) $(CXR_CFLAGS) $(SMALL_CFLAGS) $(CFLAGS) -DCXR_LEFT_OUT_IN_WORKER -include small_left_out.c -Wl,-z,lazy $(LDFLAGS) -Wl,--as-needed -o $@ $(HERE)/small_worker.c $(SMALL_WORKER_SOURCES) \
		$(CX_REMOTE_LIB) $(SMALL_LIBS)

small_worker.so: $(HERE)/small_worker.c $(HERE)/small_remote.h $(SMALL_WORKER_SOURCES) small.map
	$(CC) $(CXR_CFLAGS) $(SMALL_CFLAGS) $(CFLAGS) -DCX_REMOTE_SHADOW='"$(SMALL_REAL)"' -shared -Wl,-z,nodelete $(LDFLAGS) \
		-Wl,--as-needed -o $@ $(HERE)/small_worker.c $(SMALL_WORKER_SOURCES) $(SMALL_LIBS)

all: libsmall.so.1 small_worker

shadow: small_worker.so

clean::
	rm -f libsmall.so.1 small_worker small_worker.so small.map small.real small_left_out.c small_left_out.o small_left_out.txt
