import { errorMessage } from '../../error-message.ts';
import { type BuildAnswer, type BuildOrder, build } from './build.ts';

function answer(order: BuildOrder): BuildAnswer {
  try {
    return { done: build(order) };
  } catch (error) {
    return { failure: errorMessage(error) };
  }
}

// The process receives one order and runs one build.
process.once('message', (order: BuildOrder) => {
  process.send?.(answer(order), () => process.disconnect());
});
