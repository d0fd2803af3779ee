import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of package.json, in a checkout, in the installed package and in the container. */
export const packageRoot: string = dirname(findPackageJSON(import.meta.url) ?? '');

/** Data of packages that the build includes because users should not install the package itself. */
export const packedData: string = join(packageRoot, 'dist', 'packages');

/** The folder of data curated by hand. */
export const curatedData: string = join(packageRoot, 'data');
