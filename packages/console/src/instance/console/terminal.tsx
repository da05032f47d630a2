import { useEffect, useRef, useState } from 'react';

import type { TerminalConnection } from '@unikorn/sdk';

import { limits } from '../../limits.ts';
import { Button, IconButton, Spinner } from '../../parts/button.tsx';
import { useCopy } from '../../parts/copy.tsx';
import { CheckField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Mark } from '../../parts/status.tsx';
import { clockTime } from '../../parts/time.tsx';
import { platform } from '../../platform.ts';
import { useApi } from '../../session/context.tsx';
import { prefer, usePreferences } from '../../session/preferences.ts';
import { words } from '../../words/index.ts';
import { openScreen, type Screen } from './screen.ts';
import { Transcript } from './transcript.ts';

const texts = words.instance.terminal;

/** The text of terminals stays while the user looks at other pages. */
const transcripts = new Map<string, Transcript>();

function transcriptOf(id: string): Transcript {
  const transcript = transcripts.get(id) ?? new Transcript();
  transcripts.delete(id);
  transcripts.set(id, transcript);
  for (const oldest of [...transcripts.keys()].slice(0, -limits.terminals)) transcripts.delete(oldest);
  return transcript;
}

type State =
  | { readonly type: 'closed' | 'connecting' | 'open' | 'over' }
  | { readonly type: 'interrupted'; readonly error: Error; readonly at: number }
  | { readonly type: 'refused'; readonly error: Error };

/** The serial console of an instance. The text stays when the connection ends. */
export function InstanceTerminal({
  id,
  name,
  reason,
}: {
  readonly id: string;
  readonly name: string;
  readonly reason: string | undefined;
}) {
  const { compute } = useApi();
  const { screenReader } = usePreferences();
  const [state, setState] = useState<State>({ type: 'closed' });
  const [full, setFull] = useState(false);
  const [query, setQuery] = useState('');
  const [missing, setMissing] = useState(false);
  const [copied, copy] = useCopy();
  const place = useRef<HTMLDivElement>(null);
  const leave = useRef<HTMLButtonElement>(null);
  const screen = useRef<Screen>(undefined);
  const connection = useRef<TerminalConnection>(undefined);
  useEffect(() => {
    if (!place.current) return;
    const opened = openScreen(place.current, {
      screenReader,
      onInput: (text) => {
        connection.current?.send(text);
      },
      onLeave: () => leave.current?.focus(),
    });
    screen.current = opened;
    opened.write(transcriptOf(id).text);
    return () => {
      connection.current?.close();
      connection.current = undefined;
      opened.dispose();
    };
    // The screen reader mode of a screen changes without a new screen.
  }, [id]);
  useEffect(() => {
    screen.current?.announce(screenReader);
  }, [screenReader]);
  useEffect(() => {
    screen.current?.allowInput(state.type === 'open');
  }, [state.type]);
  const say = (text: string) => {
    screen.current?.write(`\r\n\x1b[2m── ${text} ──\x1b[0m\r\n`);
  };
  const connect = () => {
    const transcript = transcriptOf(id);
    let broke: number | undefined;
    const opened = compute.terminal('/api/v2/instances/{instanceID}/terminal', {
      params: { path: { instanceID: id } },
      onOutput: (bytes) => {
        const { bytes: shown, begunAnew } = transcript.output(bytes);
        if (begunAnew) say(texts.begunAnew);
        screen.current?.write(shown);
      },
      onState: (next) => {
        if (next.type === 'interrupted') {
          broke ??= platform.now();
          setState({ type: 'interrupted', error: next.error, at: broke });
        } else if (next.type === 'open') {
          transcript.opened();
          if (broke !== undefined) say(texts.connectedAgain(clockTime(broke)));
          broke = undefined;
          setState({ type: 'open' });
        } else if (broke === undefined) setState({ type: 'connecting' });
      },
    });
    connection.current = opened;
    setState({ type: 'connecting' });
    screen.current?.focus();
    void opened.ended.then(
      () => {
        if (connection.current !== opened) return;
        setState({ type: 'over' });
        say(texts.over(clockTime(platform.now())));
      },
      (error: unknown) => {
        if (connection.current !== opened) return;
        setState({ type: 'refused', error: error instanceof Error ? error : new Error(String(error)) });
      },
    );
  };
  const disconnect = () => {
    const open = connection.current;
    connection.current = undefined;
    open?.close();
    setState({ type: 'closed' });
    say(texts.closed(clockTime(platform.now())));
  };
  const find = (backwards: boolean) => {
    setMissing(!(screen.current?.find(query, backwards) ?? true));
  };
  const connected = state.type === 'open' || state.type === 'connecting' || state.type === 'interrupted';
  return (
    <div
      className={
        full
          ? 'fixed inset-0 z-30 flex flex-col gap-2 bg-page p-3'
          : 'flex h-[calc(100dvh-16rem)] min-h-96 shrink-0 flex-col gap-2 rounded-lg border border-line bg-surface p-3'
      }
    >
      <div role="toolbar" aria-label={texts.toolbar} className="flex flex-wrap items-center gap-2">
        {connected ? (
          <Button ref={leave} onClick={disconnect}>
            {texts.disconnect}
          </Button>
        ) : (
          <Button ref={leave} kind="primary" reason={reason} onClick={connect}>
            <Icon name="terminal" />
            {texts.connect}
          </Button>
        )}
        <StateLine state={state} name={name} />
        <form
          role="search"
          className="flex items-center gap-1 max-sm:w-full sm:ms-auto"
          onSubmit={(event) => {
            event.preventDefault();
            find(false);
          }}
        >
          <input
            type="search"
            aria-label={texts.search}
            placeholder={texts.search}
            value={query}
            aria-invalid={missing ? true : undefined}
            className="h-8 w-40 rounded-md max-sm:flex-1 border border-field-line bg-surface px-2 aria-invalid:border-bad-mark"
            onChange={(event) => {
              setQuery(event.target.value);
              setMissing(false);
            }}
          />
          <span role="status" className="sr-only">
            {missing ? texts.notFound : ''}
          </span>
          <IconButton
            label={texts.previous}
            onClick={() => {
              find(true);
            }}
          >
            <Icon name="chevronDown" className="rotate-180" />
          </IconButton>
          <IconButton label={texts.next} type="submit">
            <Icon name="chevronDown" />
          </IconButton>
        </form>
        <Button
          onClick={() => {
            copy(screen.current?.text() ?? '');
          }}
        >
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? words.parts.copied : texts.copy}
        </Button>
        <Button
          aria-pressed={full}
          onClick={() => {
            setFull(!full);
          }}
        >
          {full ? texts.normalHeight : texts.fullHeight}
        </Button>
      </div>
      {state.type === 'refused' && <Problem error={state.error} retry={connect} />}
      <div
        ref={place}
        role="group"
        aria-label={texts.label(name)}
        className="min-h-0 flex-1 overflow-hidden rounded-md border border-line bg-sunken p-2 focus-within:border-accent"
      />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <p className="text-sm text-muted">{texts.keys}</p>
        <CheckField
          label={texts.screenReader}
          checked={screenReader}
          onChange={(checked) => {
            prefer({ screenReader: checked });
          }}
        />
      </div>
    </div>
  );
}

function StateLine({ state, name }: { readonly state: State; readonly name: string }) {
  const tone = state.type === 'open' ? 'good' : state.type === 'interrupted' ? 'warn' : 'idle';
  const text = () => {
    switch (state.type) {
      case 'closed':
        return texts.states.closed;
      case 'connecting':
        return texts.states.connecting;
      case 'open':
        return texts.states.open(name);
      case 'interrupted':
        return texts.states.interrupted(clockTime(state.at));
      case 'over':
        return texts.states.over;
      case 'refused':
        return texts.states.refused;
    }
  };
  return (
    <span role="status" className="flex min-h-8 items-center gap-2 text-muted">
      {state.type === 'connecting' ? <Spinner /> : <Mark tone={tone} />}
      {text()}
    </span>
  );
}
