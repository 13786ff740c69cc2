"""What other readers make of URL texts: one JSON array of texts a line in, one array of readings a line out.

A reading is {"by": reader, "address": text} or {"by": reader, "name": text}; a reader that refuses gives none.
"""
import ctypes
import ctypes.util
import ipaddress
import json
import socket
import sys
import urllib.parse


def libcurl():
    path = ctypes.util.find_library("curl") or ctypes.util.find_library("curl-gnutls")
    try:
        curl = ctypes.CDLL(path or "libcurl.so.4")
        curl.curl_url.restype = ctypes.c_void_p
        curl.curl_url_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
        curl.curl_url_get.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_uint]
        curl.curl_url_cleanup.argtypes = [ctypes.c_void_p]
        curl.curl_free.argtypes = [ctypes.c_void_p]
        return curl
    except (OSError, AttributeError):
        return None


CURL = libcurl()
CURLUPART_URL, CURLUPART_HOST = 0, 5


def curl_host(text):
    if CURL is None or "\0" in text:
        return None
    handle = CURL.curl_url()
    try:
        if CURL.curl_url_set(handle, CURLUPART_URL, text.encode("utf-8"), 0) != 0:
            return None
        out = ctypes.c_void_p()
        if CURL.curl_url_get(handle, CURLUPART_HOST, ctypes.byref(out), 0) != 0:
            return None
        host = ctypes.string_at(out).decode("utf-8", "replace")
        CURL.curl_free(out)
        return host
    finally:
        CURL.curl_url_cleanup(handle)


def python_host(text):
    try:
        return urllib.parse.urlsplit(text).hostname
    except ValueError:
        return None


def dialled(by, host):
    """The address a C program would dial for this host text, or the name it would look up."""
    if not host:
        return
    bare = host[1:-1] if host.startswith("[") else host
    try:
        yield {"by": by + "+ipaddress", "address": str(ipaddress.ip_address(bare.split("%")[0]))}
        return
    except ValueError:
        pass
    try:
        yield {"by": by + "+inet_aton", "address": socket.inet_ntoa(socket.inet_aton(bare))}
        return
    except (OSError, UnicodeEncodeError, ValueError):
        pass
    if bare.isascii():
        yield {"by": by, "name": bare}
        return
    try:
        ascii_name = bare.encode("idna").decode("ascii")
    except (UnicodeError, ValueError):
        return
    try:
        yield {"by": by + "+idna+inet_aton", "address": socket.inet_ntoa(socket.inet_aton(ascii_name))}
    except (OSError, ValueError):
        yield {"by": by + "+idna", "name": ascii_name, "idna": True}


def readings(text):
    found = list(dialled("urllib", python_host(text)))
    found += dialled("curl", curl_host(text))
    return found


print(json.dumps({"python": sys.version.split()[0], "curl": CURL is not None}), flush=True)
for line in sys.stdin:
    print(json.dumps([readings(text) for text in json.loads(line)]), flush=True)
