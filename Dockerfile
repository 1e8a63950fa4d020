# The server: docker build -t segue . && docker run -e SEGUE_SECRET -p 8080:8080 segue
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src src
COPY release/segue.cdx.json release/
RUN python -m venv /opt/segue && \
    /opt/segue/bin/pip install --no-cache-dir ".[serve,postgres,zstd]"

FROM python:3.13-slim
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
