mkdir -p content/posts static drafts themes/plain assets/img book
printf -- '---\ntitle: Hello\n---\n\nFirst post.\n' > content/posts/hello.md
printf '# Chapter one\n\nIt was a quiet morning.\n' > book/01.md
printf '# Chapter two\n\nThe letter came at noon.\n' > book/02.md
printf 'baseURL = "https://example.com/"\ntitle = "Notes"\n' > hugo.toml
printf '\\documentclass{article}\n\\begin{document}\nHello\n\\end{document}\n' > book/paper.tex
printf '@article{a, title={A}}\n' > book/refs.bib
printf 'StylesPath = styles\nMinAlertLevel = warning\n' > .vale.ini
echo '# Notes' > README.md
printf 'public\nresources\n*.pdf\n*.aux\n*.log\n' > .gitignore
git init -q -b main . && git add -A && git commit -qm 'Start'
git remote add origin https://github.com/acme/notes.git
git update-ref refs/remotes/origin/main HEAD
git config branch.main.remote origin && git config branch.main.merge refs/heads/main
printf '# An idea\n\nNot yet a post.\n' > drafts/idea.md
