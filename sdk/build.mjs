// Compiles src/ twice: ES modules into dist/esm, CommonJS into dist/cjs.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  const { status, error } = spawnSync('tsc', ['--project', project], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${project} does not compile`, { cause: error });
}
// The package is `module`; without this, Node would read the CommonJS files as ES modules.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
// The source of operations is declarations and one generated table: a map of it helps no one, and would be half of the package.
for (const form of ['esm', 'cjs']) {
  rmSync(`dist/${form}/operations.js.map`);
  const file = `dist/${form}/operations.js`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\/\/# sourceMappingURL=.*\n?$/, ''));
}
// The largest declarations exist once: ES modules may import the types of CommonJS modules.
writeFileSync('dist/esm/operations.d.ts', "export * from '../cjs/operations.js';\n");
