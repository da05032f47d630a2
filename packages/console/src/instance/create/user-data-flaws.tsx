import { Icon } from '../../parts/icon.tsx';
import { number, words } from '../../words/index.ts';
import { encodedLength, flawsIn, mostCharacters } from './user-data.ts';

const texts = words.instance.userData;

/** The size of user data, and its flaws with their lines, for everyone who does not see the marks in the editor. */
export function UserDataFlaws({ text }: { readonly text: string }) {
  if (text === '') return null;
  const flaws = flawsIn(text);
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="text-muted tabular">{texts.size(number(encodedLength(text)), number(mostCharacters))}</p>
      <ul aria-label={texts.flaws} className="flex flex-col gap-0.5">
        {flaws.map(({ from, severity, message }) => (
          <li
            key={`${from} ${message}`}
            className={`flex items-start gap-1 ${severity === 'error' ? 'text-bad' : 'text-warn'}`}
          >
            <Icon name="warning" className="mt-0.5 size-3.5" />
            {texts.atLine(number(text.slice(0, from).split('\n').length), message)}
          </li>
        ))}
      </ul>
    </div>
  );
}
