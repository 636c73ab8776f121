# A static binary, certificates and nothing else. Time zones, texts, pages and migrations are inside the binary.
# There is no Postgres in the image: set DATABASE_URL (docker-compose.yml does).

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /out/kalends ./cmd/kalends && mkdir /out/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/kalends /kalends
# Pictures are kept here; the volume takes its owner from this directory.
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
ENV KALENDS_ADDR=0.0.0.0:8080 KALENDS_DATA_DIR=/data HOME=/data TMPDIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=6s --start-period=30s --retries=12 CMD ["/kalends", "ready"]
ENTRYPOINT ["/kalends"]
CMD ["serve"]
