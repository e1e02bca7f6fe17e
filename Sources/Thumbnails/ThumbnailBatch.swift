package import Apod
import Decoders
import Decoding
import Files
import Glibc
package import Store
import Synchronization

/// Makes the thumbnails of some pictures, with at most two worker processes, which end with it.
final class ThumbnailBatch: Sendable {
    private struct State {
        var pictures: ArraySlice<PictureKey>
        /// To be begun again, as the worker failed.
        var jobs: [ThumbnailJob] = []
        var workers: [Worker] = []
        /// The jobs that workers have.
        var begun: [ObjectIdentifier: ThumbnailJob] = [:]
        /// The outcomes that `next` has still to return.
        var done: [Thumbnail] = []
        var isOver = false

        mutating func drop(_ worker: Worker) {
            workers.removeAll { $0 === worker }
            begun[ObjectIdentifier(worker)] = nil
        }
    }

    private enum Step {
        case job(ThumbnailJob)
        case thumbnail(Thumbnail)
        case nothing

        static func failed(_ key: Key, _ why: String) -> Step {
            .thumbnail(Thumbnail(key: key, outcome: .failed(why: why)))
        }
    }

    private let thumbnails: Thumbnails
    private let isNamed: Bool
    private let state: Mutex<State>
    private let cancelled = EventFD()
    private let mostWorkers = max(1, min(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    init(_ thumbnails: Thumbnails, _ pictures: [PictureKey], isNamed: Bool) {
        self.thumbnails = thumbnails
        self.isNamed = isNamed
        state = Mutex(State(pictures: pictures[...]))
    }

    /// Called when the task that waits in `next` is cancelled.
    func cancel() { cancelled.wake() }

    /// Waits for the next outcome; nil when all are told, or after `cancel`.
    func next() -> Thumbnail? {
        state.withLock { state in
            while !Task.isCancelled {
                if !state.isOver { assignPictures(&state) }
                if !state.done.isEmpty { return state.done.removeFirst() }
                guard !state.isOver, let worker = Worker.firstToAnswer(among: state.workers, or: cancelled) else {
                    break
                }
                if let thumbnail = receive(from: worker, &state) { state.done.append(thumbnail) }
            }
            // The processes end with their `Worker`s.
            state = State(pictures: [], isOver: true)
            return nil
        }
    }

    /// Gives a picture to each idle worker, until there is an outcome to return.
    private func assignPictures(_ state: inout State) {
        while state.done.isEmpty {
            let idle = state.workers.first(where: \.isIdle)
            guard idle != nil || state.workers.count < mostWorkers else { return }
            let step: Step
            if let job = state.jobs.popLast() {
                step = .job(job)
            } else {
                guard let picture = state.pictures.popFirst() else { return }
                step = self.step(for: picture)
            }
            switch step {
            case .nothing: continue
            case .thumbnail(let thumbnail): state.done.append(thumbnail)
            case .job(let job):
                do {
                    if idle == nil {
                        guard let program = thumbnails.worker else {
                            return end(&state, job.picture.key, Thumbnails.lack)
                        }
                        state.workers.append(try Worker(program, thumbnails.limits))
                    }
                    let worker = idle ?? state.workers.last!
                    // With a new worker, a failure shows when its answer is read.
                    state.begun[ObjectIdentifier(worker)] = job
                    if !worker.begin(job.decoding), idle != nil {
                        state.drop(worker)
                        state.jobs.append(job)
                    }
                } catch {
                    end(&state, job.picture.key, "\(error)")
                }
            }
        }
    }

    /// Ends the batch after a failure that any other picture would have, too.
    private func end(_ state: inout State, _ key: Key, _ why: String) {
        state.isOver = true
        state.done.append(Thumbnail(key: key, outcome: .failed(why: why)))
    }

    /// Returns the next step for a picture: to decode it, or an outcome.
    private func step(for picture: PictureKey) -> Step {
        let key = picture.key
        do {
            guard let stored = try thumbnails.catalog.item(of: key)?.whole,
                let image = stored.files.image(picture.number)
            else { return isNamed ? .failed(key, "there is no picture") : .nothing }
            let record = try thumbnails.catalog.thumbnail(of: picture)
            let possible = try thumbnails.possibleUses()
            var uses = possible.isEmpty ? thumbnails.uses : possible
            if picture.number > 1 { uses.remove(.fileManagers) }
            if let record, record.source == image.sha256, record.refusal == nil, record.uses.isSuperset(of: uses) {
                let kept = Thumbnail(key: key, outcome: .there(thumbnails.paths(of: picture, stored, uses)))
                return isNamed ? .thumbnail(kept) : .nothing
            }
            let name = stored.name.with(image)
            guard let file = try Tree.existingFolder(stored.name.folder, in: thumbnails.tree.root)?.file(name) else {
                return .failed(key, Self.lack(name, "missing"))
            }
            // The outcome is recorded for this SHA-256.
            guard try Digest(of: file, unless: { Task.isCancelled }) == image.sha256 else {
                return .failed(key, Self.lack(name, "damaged"))
            }
            return .job(ThumbnailJob(picture: picture, file: file, source: image.sha256, wanted: uses))
        } catch {
            return .thumbnail(Thumbnail(key: key, error))
        }
    }

    private static func lack(_ name: String, _ what: String) -> String {
        "\(Text.shown(name)) is \(what); `apod-mirror verify --repair` fetches it again"
    }

    /// Reads a worker's answer; nil if there is no outcome yet.
    private func receive(from worker: Worker, _ state: inout State) -> Thumbnail? {
        guard let job = state.begun[ObjectIdentifier(worker)], let result = worker.finish(unless: cancelled) else {
            return nil
        }
        if case .answer(.made(let color, let files)) = result, let files = job.wanted.sorted(files) {
            // The worker decodes the next picture while this one's files are written.
            assignPictures(&state)
            return publish(job, files, color)
        }
        // It may be in the hands of a hostile picture.
        state.drop(worker)
        switch result {
        case .answer(.made): return refuse(job, "what the decoder made of it are no pictures")
        case .answer(.refused(let why)): return refuse(job, Text.shown(why))
        case .ended(.killed) where !job.decoding.wasKilled:
            var again = job
            again.decoding.wasKilled = true
            state.jobs.append(again)
            return nil
        case .ended(let end):
            let why = end.words(thumbnails.limits)
            return end.isInterruption ? Thumbnail(key: job.picture.key, interrupted: why) : refuse(job, why)
        case .notStarted(let why):
            state.isOver = true
            return Thumbnail(key: job.picture.key, outcome: .failed(why: why))
        }
    }

    private func publish(_ job: ThumbnailJob, _ files: MadeFiles, _ color: Int) -> Thumbnail {
        let key = job.picture.key
        do {
            var paths: [String] = []
            if !files.screens.isEmpty { paths = try thumbnails.publish(files.screens, of: job.picture) }
            if !files.shared.isEmpty, let stored = try thumbnails.catalog.item(of: key)?.whole {
                let shared = try thumbnails.publishShared(files.shared, of: stored)
                if paths.isEmpty { paths = shared }
            }
            try record(job, files, color)
            let bytes = (files.screens + files.shared).reduce(0) { $0 + $1.count }
            return Thumbnail(key: key, outcome: .made(paths, bytes: bytes))
        } catch {
            return Thumbnail(key: key, error)
        }
    }

    private func refuse(_ job: ThumbnailJob, _ why: String) -> Thumbnail {
        do {
            // Thumbnails that exist show the former picture. Cancelled, they stay.
            guard try thumbnails.removeFiles(of: [job.picture]).contains(job.picture) else {
                return Thumbnail(key: job.picture.key, interrupted: "stopped")
            }
            try thumbnails.removeShared(of: job.picture)
            try thumbnails.catalog.record(
                .init(job.picture, source: job.source, version: Worker.version, refusal: why))
            return Thumbnail(key: job.picture.key, outcome: .refused(why: why))
        } catch {
            return Thumbnail(key: job.picture.key, error)
        }
    }

    private func record(_ job: ThumbnailJob, _ files: MadeFiles, _ color: Int) throws {
        func bytes(_ files: [[UInt8]]) -> Int? { files.isEmpty ? nil : files.reduce(0) { $0 + $1.count } }
        try thumbnails.catalog.record(
            .init(
                job.picture, source: job.source, version: Worker.version, screenBytes: bytes(files.screens),
                sharedBytes: bytes(files.shared), color: color))
    }
}

extension Thumbnails {
    /// Makes the thumbnails of some pictures, newest first, and delivers each outcome at once. The next picture is begun
    /// only while somebody waits for it. Cancelling is prompt: pictures that are being decoded are given up.
    ///
    /// `named`: a person named their days, so existing thumbnails are told, too, and refused pictures tried again.
    package func thumbnails(for pictures: [PictureKey], named: Bool = false) -> AsyncStream<Thumbnail> {
        let sorted = pictures.sorted(by: PictureKey.areNewestFirst)
        let batch = ThumbnailBatch(self, sorted, isNamed: named)
        return AsyncStream(unfolding: { await blocking { batch.next() } }, onCancel: { batch.cancel() })
    }
}

/// A picture whose thumbnails a worker makes.
struct ThumbnailJob: Sendable {
    let picture: PictureKey
    let source: Digest
    /// The thumbnails to make.
    let wanted: ThumbnailUses
    var decoding: DecodingJob

    init(picture: PictureKey, file: File, source: Digest, wanted: ThumbnailUses) {
        (self.picture, self.source, self.wanted) = (picture, source, wanted)
        decoding = DecodingJob(file, wanted.renditions)
    }
}
