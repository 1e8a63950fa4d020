# The server: docker build -t segue . && docker run -e SEGUE_SECRET -p 127.0.0.1:8080:8080 segue
FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
WORKDIR /source
COPY release/locked/build.txt release/locked/image.txt release/locked/
RUN pip install --no-cache-dir --require-hashes -r release/locked/build.txt && \
    python -m venv /opt/segue && \
    /opt/segue/bin/pip install --no-cache-dir --require-hashes -r release/locked/image.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
COPY release/segue.cdx.json release/
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheel . && \
    /opt/segue/bin/pip install --no-cache-dir --no-deps --no-index /wheel/*.whl

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/segue segue
COPY --from=build /opt/segue /opt/segue
ENV PATH=/opt/segue/bin:$PATH PYTHONUNBUFFERED=1
# The number of segue, which an orchestrator can check.
USER 10001
# segue.db, unless SEGUE_STORE names another store.
WORKDIR /var/lib/segue
VOLUME /var/lib/segue
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8080/readyz', timeout=2)"]
ENTRYPOINT ["segue"]
CMD ["serve", "--host", "0.0.0.0", "--log-format", "json"]
