export { checkFirstBoot, isOtherData } from './first-boot.ts';
export { guestUserData, type FirstBoot } from './guest.ts';
export { checkAugmentable, checkUserData, readUserData, type Unrecognised, type UserData } from './recognise.ts';
