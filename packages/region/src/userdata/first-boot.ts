import { checkAugmentable, checkUserData } from './recognise.ts';

/**
 * Refuses user data that the guest would not understand, or that an authority which it shall trust cannot be added to.
 */
export function checkFirstBoot(userData: string | undefined, authorityId: string | undefined): void {
  const payload = Buffer.from(userData ?? '', 'base64');
  if (authorityId === undefined) checkUserData(payload);
  else checkAugmentable(payload);
}

/** Whether two texts in base64 stand for different bytes. */
export function isOtherData(before: string | undefined, after: string | undefined): boolean {
  return !Buffer.from(before ?? '', 'base64').equals(Buffer.from(after ?? '', 'base64'));
}
