import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { ownScript } from './own-script.ts';
import { provideAppTexts } from './texts/texts.ts';

const place = document.getElementById('app');
if (place === null) throw new Error('There is no #app in the page.');
provideAppTexts(); // a translation is provided here
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // Without it the app works, only not offline.
  void navigator.serviceWorker.register(ownScript('/service-worker.js'), { type: 'module' }).catch(() => undefined);
}
