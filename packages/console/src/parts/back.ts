import { useRouter } from '@tanstack/react-router';

/** Returns from a detour to the page that it began on, with all its parameters. */
export function useReturn(): (back: string) => void {
  const { history, basepath } = useRouter();
  return (back) => {
    history.replace(`${basepath}${back}`);
  };
}

/** The address of this page, for the way back. */
export function usePageAddress(): string {
  const { basepath, latestLocation } = useRouter();
  return latestLocation.href.startsWith(basepath) ? latestLocation.href.slice(basepath.length) : latestLocation.href;
}
