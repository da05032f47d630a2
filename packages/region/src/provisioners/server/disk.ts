import type { ObservedServer } from '../../provider/index.ts';
import type { Rebuild } from '../../servers/index.ts';

/** The next step for the disk image of a server. */
export type DiskStep =
  /** The image is the wanted one: nothing is left to do. */
  | { readonly type: 'fits' }
  /** Store the intent before the rebuild. */
  | { readonly type: 'arm' }
  /** Request the replacement of the root disk. */
  | { readonly type: 'submit' }
  | { readonly type: 'wait'; readonly rebuild: Rebuild | undefined; readonly reason: string }
  /** It failed, and is not tried again with this image. */
  | { readonly type: 'fail' };

/**
 * Decides from the wanted image, the stored marker and the observation. A provider shows the new image from the moment
 * it accepts a rebuild. So if an idle server shows another image and only the intent is stored, no rebuild was
 * accepted. Only in this case is a rebuild requested.
 */
export function decideDisk(wantedImage: string, marker: Rebuild | undefined, observed: ObservedServer): DiskStep {
  const busy = observed.task === 'active' || observed.status === 'rebuilding';
  const isWanted = observed.imageId === wantedImage;
  if (!marker) return withoutMarker(observed.imageId, isWanted);
  if (marker.targetImageID !== wantedImage) return { type: 'arm' };
  if (marker.state === 'Failed') return { type: 'fail' };
  const accepted = marker.state !== 'Initiated';
  if (observed.status === 'error' && (accepted || isWanted)) return { type: 'fail' };
  if (observed.imageId === undefined) return unreadable(marker);
  if (busy) return duringTask(marker, isWanted);
  if (isWanted) return { type: 'fits' };
  // After a rebuild was accepted, another image on an idle server means that it was replaced outside the platform.
  return accepted ? { type: 'fail' } : { type: 'submit' };
}

function withoutMarker(imageId: string | undefined, isWanted: boolean): DiskStep {
  if (isWanted) return { type: 'fits' };
  return imageId === undefined ? unreadable(undefined) : { type: 'arm' };
}

function unreadable(rebuild: Rebuild | undefined): DiskStep {
  return { type: 'wait', rebuild, reason: 'the provider cannot tell at the moment which image the machine runs on' };
}

function duringTask(marker: Rebuild, isWanted: boolean): DiskStep {
  if (!isWanted)
    return {
      type: 'wait',
      rebuild: marker,
      reason: 'the machine is busy; it is rebuilt from the new image after that',
    };
  return {
    type: 'wait',
    rebuild: marker.state === 'Initiated' ? { ...marker, state: 'Rebuilding' } : marker,
    reason: 'the machine is being rebuilt from the new image',
  };
}
