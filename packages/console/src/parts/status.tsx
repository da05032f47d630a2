/** The meaning of a state. Colours never stand alone: there is always a word. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'idle';

const marks: Readonly<Record<Tone, string>> = {
  good: 'bg-good-mark',
  busy: 'bg-busy-mark pulsing',
  warn: 'bg-warn-mark',
  bad: 'bg-bad-mark',
  idle: 'bg-idle-mark',
};

const badges: Readonly<Record<Tone, string>> = {
  good: 'bg-good-soft text-good',
  busy: 'bg-busy-soft text-busy',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  idle: 'bg-idle-soft text-idle',
};

/** A dot and a word, for rows. */
export function Status({ tone, word }: { readonly tone: Tone; readonly word: string }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <Mark tone={tone} />
      <span>{word}</span>
    </span>
  );
}

export function Mark({ tone }: { readonly tone: Tone }) {
  return <span aria-hidden="true" className={`size-2 shrink-0 rounded-full forced-color-adjust-none ${marks[tone]}`} />;
}

/** A word on a tinted ground, for headers. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span
      className={`inline-flex h-5 items-center rounded px-1.5 text-sm font-medium whitespace-nowrap ${badges[tone]}`}
    >
      {children}
    </span>
  );
}

export interface Described {
  readonly metadata: {
    readonly provisioningStatus: 'pending' | 'provisioning' | 'provisioned' | 'deprovisioning' | 'error';
    readonly healthStatus: 'unknown' | 'healthy' | 'degraded' | 'error';
    readonly provisioningStatusDetail?: { readonly message: string };
    readonly healthStatusDetail?: { readonly message: string };
  };
}

export interface Condition {
  readonly tone: Tone;
  readonly word: string;
  /** The sentence of the service, if the resource is not ready. */
  readonly message?: string | undefined;
}

/** The state of any resource in one word. Kinds with more states, such as instances, have a function of their own. */
export function conditionOf({ metadata }: Described): Condition {
  const message = metadata.provisioningStatusDetail?.message;
  switch (metadata.provisioningStatus) {
    case 'pending':
      return { tone: 'busy', word: 'pending', message };
    case 'provisioning':
      return { tone: 'busy', word: 'provisioning', message };
    case 'deprovisioning':
      return { tone: 'busy', word: 'deleting', message };
    case 'error':
      return { tone: 'bad', word: 'failed', message };
    case 'provisioned':
      if (metadata.healthStatus === 'healthy' || metadata.healthStatus === 'unknown')
        return { tone: 'good', word: 'ready' };
      return {
        tone: metadata.healthStatus === 'error' ? 'bad' : 'warn',
        word: metadata.healthStatus === 'error' ? 'unhealthy' : 'degraded',
        message: metadata.healthStatusDetail?.message,
      };
  }
}
