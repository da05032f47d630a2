import type { Project } from '@unikorn/sdk';

import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ExplanationView } from '../parts/explanation.tsx';
import { HistoryView } from '../parts/history.tsx';
import { words } from '../words/index.ts';

const texts = words.identity.projects;

/** Why a project is in its state, and what happened to it. */
export function ProjectStory({
  org,
  project: { metadata },
  onClose,
}: {
  readonly org: string;
  readonly project: Project;
  readonly onClose: () => void;
}) {
  const path = `/api/v1/organizations/${org}/projects/${metadata.id}`;
  const source = {
    service: 'identity',
    path,
    version: JSON.stringify([metadata.provisioningStatus, metadata.modifiedTime, metadata.deletionTime]),
  } as const;
  return (
    <Dialog
      open
      wide
      title={texts.storyTitle(metadata.name)}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {words.parts.close}
        </Button>
      }
    >
      <section aria-label={texts.needs} className="flex flex-col gap-2">
        <h3 className="font-medium">{texts.needs}</h3>
        <ExplanationView {...source} />
      </section>
      <section aria-label={texts.history} className="flex flex-col gap-2">
        <h3 className="font-medium">{texts.history}</h3>
        <HistoryView {...source} />
      </section>
    </Dialog>
  );
}
