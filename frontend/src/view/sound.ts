// The sound of a new message: two short notes, made here and not loaded.

const NOTES = [660, 880];

/** Plays it, unless the user has the element before them. */
export function chimeUnlessSeen(element: Element): void {
  if (document.visibilityState === "hidden" || !element.checkVisibility?.()) chime();
}

/** Plays it. Browsers allow sounds once the user has done something in the page; before that it stays silent. */
export function chime(): void {
  const audio = new AudioContext();
  NOTES.forEach((pitch, at) => {
    const note = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + at * 0.12;
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.2);
    note.connect(volume).connect(audio.destination);
    note.start(start);
    note.stop(start + 0.2);
    if (at === NOTES.length - 1) note.onended = () => void audio.close();
  });
}
