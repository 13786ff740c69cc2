mkdir -p k8s terraform ansible scripts charts/api/templates .github/workflows nginx
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: api\nspec:\n  replicas: 2\n' > k8s/api.yaml
printf 'resource "aws_s3_bucket" "logs" {\n  bucket = "acme-logs"\n}\n' > terraform/main.tf
printf -- '- hosts: web\n  tasks:\n    - ping:\n' > ansible/site.yml
printf '[web]\nweb1.example.com\n' > ansible/hosts
printf '#!/bin/sh\nset -eu\nkubectl rollout status deploy/api\n' > scripts/status.sh
printf '#!/bin/sh\nset -eu\ntar czf /tmp/backup.tgz k8s\n' > scripts/backup.sh
chmod +x scripts/*.sh
printf 'apiVersion: v2\nname: api\nversion: 0.1.0\n' > charts/api/Chart.yaml
printf 'name: deploy\non: push\njobs: {}\n' > .github/workflows/deploy.yml
printf 'server { listen 80; }\n' > nginx/site.conf
printf 'services:\n  web:\n    image: nginx:1.27\n' > compose.yaml
printf '.terraform\n*.tfstate*\n.env\n*.log\n' > .gitignore
echo '# Operations' > README.md
git init -q -b main . && git add -A && git commit -qm 'Start'
git remote add origin git@gitlab.com:acme/ops.git
git update-ref refs/remotes/origin/main HEAD
git config branch.main.remote origin && git config branch.main.merge refs/heads/main
