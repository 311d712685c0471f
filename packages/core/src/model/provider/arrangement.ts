// Message order for wire formats that require alternating roles.
export { arrangeHistory } from '../arrangement.ts';
