import type { Feature } from '../feature.ts';
import type { Knowledge } from '../knowledge/feature.ts';
import { hintsEndpoints } from './hints-endpoints.ts';

/** Hints for forms on web pages. */
export const createHintsFeature = ({ lists }: Knowledge): Feature => ({ endpoints: hintsEndpoints(lists) });
