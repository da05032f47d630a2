import { useEffect, useState } from 'react';

import { platform } from '../platform.ts';

/** A value that the user changes, after it has stayed the same for this long. */
export function useSettled<Value>(value: Value, pause_ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(
    () =>
      platform.after(pause_ms, () => {
        setSettled(() => value);
      }),
    [value, pause_ms],
  );
  return settled;
}
