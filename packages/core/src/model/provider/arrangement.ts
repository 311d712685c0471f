// The order that wires with roles in turn expect.
export { arrangeHistory } from '../history.ts';
