import { answerParent } from '../platform/child-process.ts';
import { buildNetworks } from './networks-build.ts';

answerParent(({ path }: { path: string }) => buildNetworks(path));
