// Generated from package.json by scripts/openapi.ts; do not edit, run: npm run openapi

/** The version of this package. */
export const version = '0.2.0';
