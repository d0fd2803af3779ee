import { posix } from 'node:path';

/**
 * Which of our folders the files of a folder may import besides their own; `composes` may import anything. A line for a
 * room of a feature (`gates/rules`) goes before the line of the feature; a feature in a list stands for all its rooms.
 */
export const folders: Readonly<Record<string, readonly string[] | 'composes'>> = {
  address: [],
  mail: ['address'],
  signals: ['address', 'mail'],
  'gates/regex': [],
  'gates/rules': ['address', 'signals', 'ip', 'gates/regex'],
  'gates/segments': ['gates/decisions', 'db'],
  'gates/decisions': ['address', 'signals', 'gates', 'gates/rules', 'http', 'db'],
  'gates/reports': ['gates', 'gates/rules', 'gates/regex', 'gates/decisions', 'http', 'db'],
  gates: ['gates/rules', 'gates/regex', 'http', 'db'],
  blocklist: ['address', 'http', 'db'],
  'accounts/key-text': ['http'],
  // An IP address is read in one place; here it is what a client is counted by.
  'accounts/credits': ['accounts', 'http', 'db'],
  accounts: ['accounts/key-text', 'accounts/credits', 'address', 'http', 'db'],
  // Limits that several processes enforce together; accounts/ has the ones of a single process.
  limits: ['accounts', 'http', 'db'],
  audit: ['db'],
  lookups: ['address', 'mail', 'signals', 'http', 'db'],
  overview: ['http', 'db'],
  learning: ['address', 'mail', 'db'],
  'webhooks/delivery': ['webhooks', 'http', 'db'],
  webhooks: ['http', 'db'],
  seen: ['address', 'http', 'db'],
  // Implements the console's interfaces with accounts, lists and the audit trail.
  'console/adapters': 'composes',
  console: ['http', 'db'],
  mcp: ['http'],
  // The reference is made from the OpenAPI document alone.
  reference: ['http'],
  'lists/sources': ['address'],
  'lists/snapshot': ['address', 'signals', 'lists/sources'],
  'lists/operator': ['lists/sources', 'lists/snapshot', 'db'],
  'lists/ranks': ['signals', 'lists/sources', 'lists/snapshot'],
  'lists/refresh': ['net', 'ip', 'lists/sources', 'lists/snapshot', 'lists/ranks'],
  'lists/distribution': ['lists/refresh', 'lists/snapshot', 'lists/ranks', 'db'],
  lists: ['signals', 'lists/sources', 'lists/snapshot', 'lists/operator'],
  // What an IP address tells is described as other signals are.
  ip: ['address', 'signals', 'lists/sources', 'lists/snapshot'],
  'net/dns': ['mail'],
  'net/http': ['address', 'mail'],
  'net/registry': ['net/http'],
  'db/migrations': ['db'],
  'db/move': ['db'],
  'db/leases': ['db'],
  db: ['db/migrations'],
  'http/session-api': ['http'],
  http: ['http/session-api'],
  app: 'composes',
  cli: 'composes',
  library: 'composes',
  workers: 'composes',
  'main.ts': 'composes',
  'config.ts': [],
};

/** Files and folders that import nothing of ours but each other, and that everything may import. */
export const leaves: readonly string[] = [
  'actor.ts',
  'errors.ts',
  'error-message.ts',
  'reading.ts',
  'ulid.ts',
  'json-depth.ts',
  'log.ts',
  'node-http.ts',
  'version.ts',
  'files',
  'platform',
  'input',
];

/** More source files than this in one folder are probably two ideas. */
export const mostFilesInAFolder = 30;

/** A history in numbered files: nobody looks through it, and it only grows. */
export const growingFolder = 'src/db/migrations';

/** Folders whose logic is pure: what they need of the world they declare, and others implement. */
export const pureFolders: readonly string[] = ['address', 'mail', 'signals', 'gates'];

/** The only files in which each of these may be named. */
export const places: Readonly<Record<string, RegExp>> = {
  pg: /^src\/db\/postgres/,
  'node:sqlite': /^src\/db\/sqlite/,
  'node:dgram': /^src\/net\//,
  kysely: /^src\/(db\/|.*-store\.ts$)/,
  'process.env': /^src\/config\.ts$/,
};

/** Packages whose place is one folder, whichever it is. */
export const oneFolder: readonly string[] = ['ioredis'];

const worldly =
  /^node:(fs|fs\/promises|net|tls|dns|dns\/promises|dgram|http|http2|https|child_process|worker_threads|cluster|sqlite)$/;

/** What one file imports that it may not, each with the line of the rule it breaks. */
export function breaches(file: string, source: string): string[] {
  const code = withoutComments(source);
  const imports = importsOf(file, code);
  const broken = imports.flatMap(({ target, typeOnly }) => {
    const line = brokenLine(file, target, typeOnly);
    return line === null ? [] : [`${file} imports ${target}: ${line}`];
  });
  if (/\bprocess\.env\b/.test(code) && isMisplaced(file, 'process.env')) {
    broken.push(`${file} reads process.env: process.env is for ${places['process.env']}`);
  }
  return broken;
}

/** The folders that import a package. */
export function importers(name: string, sources: ReadonlyMap<string, string>): string[] {
  const files = [...sources].filter(([file, source]) => importsOf(file, source).some(({ target }) => target === name));
  return [...new Set(files.map(([file]) => posix.dirname(file)))];
}

function brokenLine(file: string, target: string, typeOnly: boolean): string | null {
  if (!file.startsWith('src/')) return target.startsWith('src/') ? 'outside src nothing is imported from src' : null;
  const folder = roomOf(file);
  if (!target.startsWith('src/')) return brokenPackageLine(file, target);
  const from = roomOf(target);
  if (leaves.includes(topOf(target))) return null;
  if (leaves.includes(topOf(file))) return `${topOf(file)} is a leaf and imports nothing of ours`;
  if (isWiring(file)) return null;
  const allowed = folders[folder];
  if (allowed === undefined) return `the rule has no line for ${folder}`;
  if (allowed === 'composes') return null;
  if (isWiring(target) && !typeOnly) return 'only app/ and wiring import wiring';
  if (folder === from) {
    const isBehaviour = isStore(file) && !isStore(target) && !typeOnly;
    return isBehaviour ? 'a store imports only stores and types of its own folder' : null;
  }
  if (!allowed.includes(from) && !(isForeign(file, target) && allowed.includes(topOf(target))))
    return `${folder} may import ${allowed.join(', ') || 'nothing of ours'}`;
  if (isStore(file) && from !== 'db' && !typeOnly) return 'a store imports db only';
  if (from === 'db' && !isStore(file) && !typeOnly) return 'only a store imports more than types of db';
  return null;
}

function brokenPackageLine(file: string, name: string): string | null {
  if (isMisplaced(file, name)) return `${name} is for ${places[name]}`;
  const folder = topOf(file);
  const isPure = pureFolders.includes(folder) && !isStore(file) && !isWiring(file);
  return isPure && worldly.test(name) ? `${folder} does no input or output` : null;
}

const isMisplaced = (file: string, name: string): boolean =>
  file.startsWith('src/') && places[name]?.test(file) === false;

/** A file of SQL; in a folder without a database the name means something else. */
const isStore = (file: string): boolean =>
  file.endsWith('-store.ts') && (folders[roomOf(file)]?.includes('db') ?? false);

/** `feature.ts` builds a feature from its parts and from what others provide. */
const isWiring = (file: string): boolean => /(\/|-)feature\.ts$/.test(file);

const topOf = (path: string): string => path.split('/')[1] ?? '';

const isForeign = (file: string, target: string): boolean => topOf(file) !== topOf(target);

/** The room of a feature that has a line of its own, else the feature. */
const roomOf = (path: string): string =>
  Object.keys(folders).find((folder) => path.startsWith(`src/${folder}/`)) ?? topOf(path);

interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string, code: string): Import[] {
  const statements = code.matchAll(/\b(?:import|export)\b([^'"`;()=]*?)\bfrom\s*['"]([^'"]+)['"]/g);
  const bare = code.matchAll(/\bimport()\s*\(?\s*['"]([^'"]+)['"]/g);
  return [...statements, ...bare].map(([, clause = '', target = '']) => ({
    target: target.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), target)) : target,
    typeOnly: isTypeOnly(clause.trim()),
  }));
}

function isTypeOnly(clause: string): boolean {
  if (clause.startsWith('type ')) return true;
  const names = /^\{([^}]*)\}$/.exec(clause)?.[1]?.split(',') ?? [''];
  return names.filter((name) => name.trim() !== '').every((name) => name.trim().startsWith('type ')) && clause !== '';
}

function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '');
}
