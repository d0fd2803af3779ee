import { answerParent } from '../../platform/child-process.ts';
import { build } from './build.ts';

answerParent(build);
