mkdir -p src/components src/pages src/styles public tests dist node_modules/react scripts .github/workflows prisma
cat > package.json <<'J'
{
  "name": "storefront",
  "version": "1.4.0",
  "scripts": {
    "dev": "vite --port 5173",
    "build": "tsc -b && vite build",
    "test": "vitest run",
    "lint": "eslint src --max-warnings 0",
    "format": "prettier --write src",
    "typecheck": "tsc --noEmit",
    "storybook": "storybook dev -p 6006",
    "e2e": "playwright test"
  },
  "dependencies": {"react": "^18.2.0", "react-dom": "^18.2.0"},
  "devDependencies": {"vite": "^5.2.0", "vitest": "^1.6.0", "typescript": "^5.4.0", "eslint": "^9.0.0"}
}
J
echo '{"lockfileVersion": 3}' > package-lock.json
echo '{"compilerOptions": {"strict": true, "jsx": "react-jsx"}}' > tsconfig.json
echo "import { defineConfig } from 'vite';
export default defineConfig({ server: { port: 5173 } });" > vite.config.ts
echo "export default [{ rules: { 'no-unused-vars': 'error' } }];" > eslint.config.js
echo 'export function App() { return <main className="light">Hello</main>; }' > src/App.tsx
echo "import { App } from './App';
export default App;" > src/main.tsx
echo 'export function Button(props) { return <button {...props} />; }' > src/components/Button.tsx
echo 'export function Cart() { return <ul />; }' > src/components/Cart.tsx
echo 'export const total = (items) => items.reduce((sum, item) => sum + item.price, 0);' > src/cart.ts
echo ':root { --bg: white; }' > src/styles/main.css
echo 'export function Checkout() { return null; }' > src/pages/Checkout.tsx
echo "import { test, expect } from 'vitest';
import { total } from '../src/cart';
test('total', () => expect(total([{ price: 2 }])).toBe(2));" > tests/cart.test.ts
echo 'model Order { id Int @id }' > prisma/schema.prisma
echo 'name: ci
on: push' > .github/workflows/ci.yml
echo "const fs = require('fs');
const pages = fs.readdirSync('src/pages');
fs.writeFileSync('public/sitemap.json', JSON.stringify(pages));" > scripts/sitemap.js
echo '# Storefront' > README.md
printf 'node_modules\ndist\n.env\ncoverage\n*.log\n' > .gitignore
echo 'VITE_API=http://localhost:3000' > .env.example
echo 'module.exports = {}' > node_modules/react/index.js
echo '<html></html>' > dist/index.html
echo '<html></html>' > index.html
git init -q -b main . && git add -A && git commit -qm 'Start the shop'
git remote add origin https://github.com/acme/storefront.git
git update-ref refs/remotes/origin/main HEAD
git config branch.main.remote origin && git config branch.main.merge refs/heads/main
printf 'STRIPE_KEY=changeme-local\nSESSION_PASSWORD=changeme-local\n' > .env
