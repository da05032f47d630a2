import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { dataOf } from '@unikorn/sdk';

import { Button } from '../parts/button.tsx';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { Section } from '../parts/page.tsx';
import { fieldProblem, Problem } from '../parts/problem.tsx';
import { useApi, useSession } from '../session/context.tsx';
import { useAcl } from '../session/rights.ts';
import { words } from '../words/index.ts';
import { usePlace } from './place.ts';
import { useOrganizations, useProjects } from './tenancy.ts';

const texts = words.shell.account;

/** Who is logged in, what they may do, and their password. */
export function Account() {
  const session = useSession();
  return (
    <>
      <Section title={texts.password}>
        <div className="flex flex-col gap-4">
          <p className="break-words">
            {words.shell.loggedInAs}{' '}
            <span className="font-medium">{session.state === 'out' ? '' : session.subject}</span>
          </p>
          <PasswordForm />
        </div>
      </Section>
      <Permissions />
    </>
  );
}

/** The service says whether the current password is right, and whether the new one is good enough. */
function PasswordForm() {
  const { identity } = useApi();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const change = useMutation({
    mutationFn: () => dataOf(identity.PUT('/api/v1/password', { body: { current, password } })),
    onSuccess: () => {
      setCurrent('');
      setPassword('');
      setAgain('');
    },
  });
  const reason = current === '' || password === '' ? texts.missing : password === again ? undefined : texts.different;
  const written = (set: (text: string) => void) => (text: string) => {
    change.reset();
    set(text);
  };
  return (
    <form
      className="flex max-w-md flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined && !change.isPending) change.mutate();
      }}
    >
      <TextField
        label={texts.current}
        type="password"
        autoComplete="current-password"
        maxLength={1024}
        value={current}
        problem={fieldProblem(change.error, 'current')}
        onChange={written(setCurrent)}
      />
      <TextField
        label={texts.new}
        type="password"
        autoComplete="new-password"
        maxLength={1024}
        value={password}
        problem={fieldProblem(change.error, 'password')}
        onChange={written(setPassword)}
      />
      <TextField
        label={texts.repeat}
        type="password"
        autoComplete="new-password"
        maxLength={1024}
        value={again}
        onChange={written(setAgain)}
      />
      <Button type="submit" className="self-start" busy={change.isPending} reason={reason}>
        {texts.change}
      </Button>
      <p role="status">{change.isSuccess ? texts.changed : ''}</p>
      {change.error && <Problem error={change.error} />}
    </form>
  );
}

/** What the user may do on the platform, in an organization, and in each of its projects. */
function Permissions() {
  const { organizations } = useOrganizations();
  const [chosen, setChosen] = useState<string>();
  const place = usePlace();
  const current = organizations.find(({ metadata }) => metadata.id === place.organization) ?? organizations[0];
  const organization = chosen ?? current?.metadata.id;
  const { projects } = useProjects(organization);
  const { data, error } = useAcl(organization);
  const nameOf = (id: string) => projects.find(({ metadata }) => metadata.id === id)?.metadata.name ?? id;
  const scopes = [
    { title: texts.platform, endpoints: data?.global ?? [] },
    { title: texts.organization, endpoints: data?.organization?.endpoints ?? [] },
    ...(data?.projects ?? []).map(({ id, endpoints }) => ({ title: texts.project(nameOf(id)), endpoints })),
  ].filter(({ endpoints }) => endpoints.length > 0);
  return (
    <Section title={texts.permissions}>
      <div className="flex flex-col gap-4">
        {organizations.length > 0 && (
          <div className="max-w-md">
            <ChoiceField
              label={words.shell.organization}
              value={organization ?? ''}
              choices={organizations.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
              onChange={setChosen}
            />
          </div>
        )}
        {error && <Problem error={error} />}
        {data && scopes.length === 0 && <p className="text-muted">{texts.none}</p>}
        {scopes.map(({ title, endpoints }) => (
          <details key={title}>
            <summary className="w-fit cursor-pointer rounded font-medium break-words">{title}</summary>
            <ul className="mt-1">
              {endpoints.map(({ name, operations }) => (
                <li key={name} className="flex justify-between gap-3 py-0.5">
                  <span className="min-w-0 font-mono text-sm break-words">{name}</span>
                  <span className="text-end text-sm text-muted">{operations.join(', ')}</span>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
    </Section>
  );
}
