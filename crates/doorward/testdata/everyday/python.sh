mkdir -p app/api app/models tests scripts docs .venv/bin migrations
cat > pyproject.toml <<'T'
[project]
name = "ledgerly"
version = "0.3.0"
dependencies = ["fastapi", "sqlalchemy", "pydantic"]
[tool.pytest.ini_options]
testpaths = ["tests"]
[tool.ruff]
line-length = 100
T
printf 'fastapi==0.110.0\nsqlalchemy==2.0.29\npydantic==2.6.4\n' > requirements.txt
touch app/__init__.py app/api/__init__.py
printf 'from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get("/health")\ndef health():\n    return {"ok": True}\n' > app/main.py
printf 'def add(a, b):\n    return a + b\n\n\ndef mean(values):\n    return sum(values) / len(values)\n' > app/numbers.py
printf 'class User:\n    def __init__(self, name):\n        self.name = name\n' > app/models/user.py
printf 'from app.numbers import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n' > tests/test_numbers.py
printf 'import csv\nimport json\n\nwith open("docs/users.csv") as rows:\n    print(json.dumps(list(csv.DictReader(rows))))\n' > scripts/export.py
printf 'id,name\n1,Ada\n2,Grace\n' > docs/users.csv
printf 'test:\n\tpytest -q\nlint:\n\truff check .\nserve:\n\tuvicorn app.main:app --reload\n' > Makefile
printf 'FROM python:3.12-slim\nCOPY . /app\nCMD ["uvicorn", "app.main:app"]\n' > Dockerfile
echo '# Ledgerly' > README.md
printf '.venv\n__pycache__\n.pytest_cache\n*.egg-info\ndist\nbuild\n.env\n*.sqlite\n' > .gitignore
git init -q -b main . && git add -A && git commit -qm 'Start the service'
git remote add origin git@github.com:acme/ledgerly.git
git update-ref refs/remotes/origin/main HEAD
git config branch.main.remote origin && git config branch.main.merge refs/heads/main
mkdir -p .pytest_cache app/__pycache__ && echo x > app/__pycache__/main.pyc && echo x > .pytest_cache/README.md
