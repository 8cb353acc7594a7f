# The HTTP service of tetragraph, for the stores that NEO4J_URI and QDRANT_URL name: see docs/service.md.

FROM python:3.12-slim AS build
WORKDIR /build
COPY . .
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin tetragraph \
    && mkdir --parents /data \
    && chown tetragraph:tetragraph /data
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir --no-compile "$(echo /wheels/*.whl)[local,docs,eval,server,mcp]" \
    && rm -r /wheels
ENV TETRAGRAPH_HOME=/data/home \
    TETRAGRAPH_CACHE=/data/cache \
    PYTHONDONTWRITEBYTECODE=1 \
    NUMBA_CACHE_DIR=/tmp/numba
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8424
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s --interval=10s --timeout=5s --retries=6 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8424/readyz', timeout=4)"]
ENTRYPOINT ["tetragraph"]
# Other machines reach this address only through what publishes the port, which has to encrypt connections.
CMD ["serve", "--host", "0.0.0.0", "--behind-tls"]
