import { englishConnections } from './connections.ts';
import { laterTexts } from './later-texts.ts';

/** Texts of connections as they are now. */
export const connectionTexts = laterTexts(englishConnections);
