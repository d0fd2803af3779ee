import { answerParent } from '../../platform/child-process.ts';
import { type BuildOrder, build } from './build.ts';

answerParent((order: BuildOrder) => build(order));
