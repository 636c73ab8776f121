// Package deploy holds no code: its tests read the files of ../../deploy and docker-compose.yml as Compose, Kubernetes,
// systemd and Caddy do.
package deploy
