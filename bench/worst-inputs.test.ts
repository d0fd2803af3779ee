import assert from 'node:assert/strict';
import { it } from 'node:test';
import { managementOperations, worstInputs } from './worst-inputs.ts';

it('the benchmark of endpoints measures every management operation of the OpenAPI document', () => {
  const operations = managementOperations().map(({ operationId }) => operationId);
  assert.deepEqual(Object.keys(worstInputs).toSorted(), operations.toSorted());
});
