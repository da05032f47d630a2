import { checkAugmentable, checkUserData } from './recognise.ts';

/** Refuses user data that the guest would not understand, or to which the SSH certificate authority cannot be added. */
export function checkFirstBoot(userData: string | undefined, authorityId: string | undefined): void {
  const payload = Buffer.from(userData ?? '', 'base64');
  if (authorityId === undefined) checkUserData(payload);
  else checkAugmentable(payload);
}

/** Whether two base64 texts decode to different bytes. */
export function isOtherData(before: string | undefined, after: string | undefined): boolean {
  return !Buffer.from(before ?? '', 'base64').equals(Buffer.from(after ?? '', 'base64'));
}
