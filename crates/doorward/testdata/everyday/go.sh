mkdir -p cmd/server internal/store internal/http api bin testdata
printf 'module github.com/acme/parcel\n\ngo 1.22\n' > go.mod
printf 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("parcel") }\n' > cmd/server/main.go
printf 'package store\n\nfunc Get(id int) string { return "" }\n' > internal/store/store.go
printf 'package store\n\nimport "testing"\n\nfunc TestGet(t *testing.T) { if Get(1) != "" { t.Fatal() } }\n' > internal/store/store_test.go
printf 'package http\n' > internal/http/routes.go
printf 'syntax = "proto3";\npackage parcel;\n' > api/parcel.proto
printf 'build:\n\tgo build -o bin/server ./cmd/server\ntest:\n\tgo test ./...\ngenerate:\n\tgo generate ./...\nlint:\n\tgolangci-lint run\n' > Makefile
printf 'services:\n  db:\n    image: postgres:16\n    ports: ["5432:5432"]\n' > compose.yaml
printf 'bin\ncoverage.out\n.env\n' > .gitignore
echo '# parcel' > README.md
git init -q -b main . && git add -A && git commit -qm 'Start'
git remote add origin git@github.com:acme/parcel.git
git update-ref refs/remotes/origin/main HEAD
git config branch.main.remote origin && git config branch.main.merge refs/heads/main
