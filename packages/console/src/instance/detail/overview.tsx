import { useActorNames, useNames } from '../../catalog/catalog.ts';
import { ExplanationView } from '../../parts/explanation.tsx';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Fact, Facts, Section } from '../../parts/page.tsx';
import { PlaceLink } from '../../parts/place-link.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Time } from '../../parts/time.tsx';
import { useActions } from '../../session/actions.ts';
import { words } from '../../words/index.ts';
import { apiPath, askedAbout, versionOf } from '../api.ts';
import { useInstanceDialog } from './actions.tsx';
import { useInstance } from './instance.tsx';

const texts = words.instance;

export function InstanceOverview() {
  const instance = useInstance();
  const open = useInstanceDialog();
  const against = useActions(askedAbout(instance));
  const { metadata, spec, status } = instance;
  const place = { org: metadata.organizationId, project: metadata.projectId };
  const names = useNames(metadata.organizationId, metadata.projectId, [status.regionId]);
  const actorName = useActorNames(metadata.organizationId);
  return (
    <div className="grid grid-cols-1 items-start gap-4 2xl:grid-cols-[minmax(0,1fr)_22rem]">
      <Section title={texts.lifecycle}>
        <ExplanationView service="compute" path={apiPath(metadata.id)} version={versionOf(instance)} />
      </Section>
      <Section
        title={texts.about}
        actions={
          <Button
            kind="quiet"
            className="-me-2"
            reason={against('update')}
            onClick={() => {
              open('tags');
            }}
          >
            <Icon name="tag" />
            {texts.tagging.change}
          </Button>
        }
      >
        <Facts>
          <Fact name={texts.columns.flavor}>{names.flavor(spec.flavorId)}</Fact>
          <Fact name={texts.columns.image}>
            <PlaceLink {...place} noun="images" id={`${status.regionId}/${spec.imageId}`}>
              {names.image(spec.imageId)}
            </PlaceLink>
          </Fact>
          <Fact name={texts.columns.network}>
            <PlaceLink {...place} noun="networks" id={status.networkId}>
              {names.network(status.networkId)}
            </PlaceLink>
          </Fact>
          <Fact name={texts.columns.region}>{names.region(status.regionId)}</Fact>
          <Fact name={texts.createdBy}>{metadata.createdBy === undefined ? '–' : actorName(metadata.createdBy)}</Fact>
          <Fact name={texts.modified}>
            {metadata.modifiedTime === undefined ? '–' : <Time at={metadata.modifiedTime} />}
          </Fact>
          <Fact name={texts.description}>{metadata.description ?? '–'}</Fact>
          <Fact name={texts.columns.tags}>
            <Tags tags={metadata.tags} />
          </Fact>
          <Fact name={texts.protection}>{spec.deletionProtection === true ? texts.on : texts.off}</Fact>
        </Facts>
      </Section>
    </div>
  );
}
