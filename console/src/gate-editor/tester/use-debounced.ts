import { useEffect, useState } from 'react';

/** A value that updates only after it has stopped changing. */
export function useDebounced<Value>(value: Value, quietMs: number): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return debounced;
}
