import { useEffect, useState } from 'react';

import { platform } from '../platform.ts';
import { announcer } from './announcer.ts';

/** A text for screen readers only, which they hear again when it changes, but not too often. */
export function Announcement({ text }: { readonly text: string }) {
  const [said, setSaid] = useState('');
  const [announce] = useState(() => announcer(platform, setSaid));
  // A newer text takes the place of one that still waits.
  useEffect(() => announce(text), [announce, text]);
  return (
    <p role="status" lang="en" className="sr-only">
      {said}
    </p>
  );
}
